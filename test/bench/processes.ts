/** Processor time and memory of the editor's processes. They are read from /proc, so only on Linux. */
import { readdir, readFile } from 'node:fs/promises';

export interface Process {
  readonly pid: string;
  readonly parent: string;
  /** User and system time. */
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly command: string;
}

/** User and system time in /proc are in hundredths of a second. */
const TICK_MS = 10;

async function readProcess(pid: string): Promise<Process> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const [stat, status, command] = await Promise.all([read('stat'), read('status'), read('cmdline')]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    parent: fields[1] ?? '',
    cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS,
    residentMb: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024,
    command,
  };
}

/** The descendants of this process of one kind. Processes of other runs are left out. */
export async function processes(kind: 'extensionHost' | 'renderer'): Promise<readonly Process[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = new Map((await Promise.all(pids.map(readProcess))).map((found) => [found.pid, found]));
  const isOurs = (pid: string): boolean =>
    pid === String(process.pid) || (all.has(pid) && isOurs(all.get(pid)?.parent ?? ''));
  return [...all.values()].filter(({ pid, command }) => command.includes(`--type=${kind}`) && isOurs(pid));
}

export const sumOf = (all: readonly Process[], key: 'cpuMs' | 'residentMb') =>
  all.reduce((sum, one) => sum + one[key], 0);

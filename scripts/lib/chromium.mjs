/** Finds or installs Chromium, which shows the workbench. */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetched, installPackage } from './fetched.mjs';
import { cache, Failure, run, say, tail } from './project.mjs';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const unpacked = 'chromium-npm';

/** Returns the path of a Chromium: $K3_CHROMIUM, the machine's own, Debian's package, or one from the npm registry. */
export async function ensureChromium() {
  const named = process.env['K3_CHROMIUM'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Failure(`K3_CHROMIUM names ${named}, which is not there. Correct it or unset it.`);
  }
  return installed() ?? (await fromDebian()) ?? (await fromRegistry());
}

function installed() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...(process.platform === 'darwin' ? applications : []),
    join(cache, unpacked, 'chromium'),
  ];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function fromDebian() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined;
  say("Installing Debian's Chromium …");
  const options = { quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  // A machine that has just started may still be installing its own packages. In seconds.
  const wait = ['-o', 'DPkg::Lock::Timeout=180'];
  await run('apt-get', [...wait, 'update', '-q'], options);
  const { code, output } = await run('apt-get', [...wait, 'install', '-y', '-q', 'chromium'], options);
  if (code !== 0) say(`${tail(output, 4)}\nDebian's Chromium could not be installed.`);
  return code === 0 ? installed() : undefined;
}

async function fromRegistry() {
  const advice =
    'Install Chromium or Chrome on this machine, or set K3_CHROMIUM to the path of one, and run the command again.';
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(`There is no Chromium or Chrome on this machine. ${advice}`);
  }
  const folder = await fetched(unpacked, 'Getting Chromium from the npm registry …', async (part) => {
    await installPackage(part, '@sparticuz/chromium').catch((error) => {
      throw new Failure(`${error.message}\n${advice}`);
    });
    const script = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
    const unpacking = await run(process.execPath, ['-e', script], {
      cwd: part,
      quiet: true,
      env: { ...process.env, TMPDIR: part },
    });
    const { code, output } = await run(join(part, 'chromium'), ['--version'], { quiet: true });
    if (code !== 0) {
      throw new Failure(
        `${tail(unpacking.output + output, 4)}\n\nThe Chromium from the npm registry does not run here; libraries ` +
          `of the system may be missing. ${advice}`,
      );
    }
  });
  return join(folder, 'chromium');
}

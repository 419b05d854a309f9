import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isProtected } from '../../../src/access/protectedPaths.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';

describe('Protected files', () => {
  for (const path of [
    '.vscode/settings.json',
    '.VSCode/Settings.JSON',
    'packages/a/.vscode/tasks.json',
    'C:\\work\\.vscode\\launch.json',
    '.vscode./settings.json',
    '.git/hooks/pre-commit',
    '.git::$INDEX_ALLOCATION/config',
    '.github/workflows/ci.yml',
    'team.code-workspace',
    '.husky/pre-push',
    'AGENTS.md',
    'sub/CLAUDE.md',
    '.cursor/mcp.json',
    'mcp.json',
    '/home/me/.bashrc',
    'Microsoft.PowerShell_profile.ps1',
    '.env',
    '.env.production',
    '.ssh/authorized_keys',
    '.devcontainer/devcontainer.json',
    '.devcontainer/python/devcontainer.json',
    '.devcontainer.json',
    '.g\u200cit/config',
    '.github/copilot.instructions.md',
    '.agents/skills/a.md',
    'opencode.json',
    'mise.toml',
    'mise.local.toml',
    'sub/.mise.production.local.toml',
    '.config/mise/config.toml',
    '.config/mise/conf.d/tools.toml',
    'mise/config.local.toml',
    'sub/mise/conf.d/tools.toml',
    '.mise/config.toml',
    '.roorules',
    '.roorules-code',
    '.clinerules-architect',
    '.kilocoderules',
    '.kilocodemodes',
    '.claude-plugin/marketplace.json',
    // A folder with the files of a repository is one, and Git runs what its configuration says.
    'sub/HEAD',
    'fixtures/app.git/config',
    'app.git/hooks/pre-receive',
    'Jenkinsfile',
    'ci/Jenkinsfile.release',
    '.travis.yml',
    '.gitlab-ci.yml',
    '.gitlab-ci.yaml',
    '.gitlab-ci.deploy.yml',
    'azure-pipelines.yml',
    'azure-pipelines-release.yaml',
    '.gitea/workflows/ci.yml',
    '.yarn/releases/yarn-4.cjs',
    '.mvn/jvm.config',
    '.bazelrc',
    '.vimrc',
    '.exrc',
    'sub/.gdbinit',
    '.hg/hgrc',
    '/home/me/.claude.json',
    '.idx/dev.nix',
    '.vs/launch.vs.json',
    '.fleet/run.json',
    '.helix/languages.toml',
    '.jj/repo/config.toml',
    '.kilocode/mcp.json',
    '.qwen/settings.json',
    '.crush/init',
    '.factory/hooks.json',
    '.copilot/mcp-config.json',
    'sub/AGENT.md',
    'QWEN.md',
    'CRUSH.md',
    'WARP.md',
    '.goosehints',
    '.rules',
    'crush.json',
    '.crush.json',
    '.gitpod.yml',
    '.woodpecker.yaml',
    'lefthook-local.yml',
    // Other formats that lefthook reads.
    'lefthook.toml',
    '.lefthook.yaml',
    'sub/lefthook-local.json',
    '.lefthook-local.jsonc',
    // Where the program comes from that builds.
    '.bazeliskrc',
    'gradle/wrapper/gradle-wrapper.properties',
    '.overcommit.yml',
    'bunfig.toml',
    '.pnpmfile.mjs',
    '.Rprofile',
    '.pdbrc',
    '.irbrc',
    '.pryrc',
    '.cshrc',
    '.ghci',
    'sub/.ocamlinit',
    '.iex.exs',
    '.octaverc',
    '.Renviron',
    // What hooks run.
    '.lefthook/pre-commit/check.sh',
    '.lefthook-local/pre-push/check.sh',
    '.git-hooks/pre_commit/check.rb',
    // What other agents and build services run.
    '.openhands/setup.sh',
    '.codesandbox/tasks.json',
    '.gitpod/automations.yaml',
    '.stackblitzrc',
    '.semaphore/semaphore.yml',
    '.tekton/pipeline.yaml',
    '.build.yml',
    'buildspec.yml',
    'deploy/cloudbuild.yaml',
    // On the disks of macOS, `ſ` is an `s` as well.
    '.vſcode/settings.json',
    'sub/.huſky/pre-push',
    'AGENTſ.md',
  ]) {
    it(`include ${path}`, () => assert.equal(isProtected(path), true));
  }

  for (const path of [
    'src/app.ts',
    'README.md',
    'vscode/settings.json',
    'src/git.ts',
    'src/hooks/useTime.ts',
    'package.json',
    'environment.ts',
    'a.env.ts',
    'src/jenkinsfiles.ts',
    'yarn/index.ts',
    'mvn/pom.xml',
    'docs/azure-pipelines',
    'docs/agent.mdx',
    'src/factory/app.ts',
    'rules',
    'src/mise.ts',
    'src/miser.toml',
    'docs/app.git.md',
    'docs/HEAD.md',
    'src/head.ts',
    'layouts/head/index.html',
    // A workspace can have such a name.
    'mise/src/config.toml',
    'mise/Cargo.toml',
    'app.git/src/app.ts',
    'example.git/config/routes.rb',
  ]) {
    it(`do not include ${path}`, () => assert.equal(isProtected(path), false));
  }

  it('include names with dots and spaces at their end, or the name of a stream', () => {
    for (const path of ['.vscode. ./a', '.git::$INDEX_ALLOCATION/config', '.npmrc:a\nb'])
      assert.equal(isProtected(path), true, path);
    assert.equal(isProtected('a/. ./b'), false);
  });

  for (const path of [
    'GIT~1/hooks/pre-commit',
    'sub/git~1. /config',
    'git~1::$INDEX_ALLOCATION/config',
    'sub\\GIT~1\\config',
    'git~4',
    'GI7EBA~1',
    'VSCODE~1/settings.json',
    'VSCOD~12/settings.json',
    'GITHUB~1/workflows/ci.yml',
    'DEVCON~1/devcontainer.json',
    'GITMOD~1',
    'NPMRC~1',
    'ENV~1',
    'ENV~2.LOC',
    'ENVPRO~1.LOC',
    'MCP~1.JSO',
    'TEAM~1.COD',
    'TE1A2B~1.COD',
    'GITLAB~1.YML',
    'AZURE-~1.YAM',
    'AZ3F4D~1.YAM',
    'MICROS~1.PS1',
    'sub/JENKIN~1.REL',
    'sub/MISELO~1.TOM',
    'APP~1.GIT/config',
  ])
    it(`include ${path}, a name that Windows has for one of them`, () =>
      assert.equal(isProtected(path), true));

  for (const path of [
    'git~',
    'git~0',
    'git~1x',
    'app.ts~1',
    'HEAD~1',
    'gi~1',
    'app~1.ts',
    'vscode~1.ts',
    'git~1.ts',
    'TEAM~1.TXT',
    'TEAM~1.COD/a.ts',
    'AB~1.MD',
  ])
    it(`do not include ${path}`, () => assert.equal(isProtected(path), false));

  it('are told in time in proportion to the length of a path, which a model can give', () => {
    for (const part of ['. ', ':\n', '.', '/', '\u200b', '~', '~1', '/git~2.x'])
      assert.ok(
        growthOf(
          (length) => `a${part.repeat(length)}x`,
          (path) => isProtected(path),
          8000,
        ) < LINEAR,
        part,
      );
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { readEditorNetwork } = await withEditorStub(
  () => import('../../../../src/editor/base/editorNetwork.ts'),
);

describe('The network settings of the editor', () => {
  const { getConfiguration } = workspace;
  afterEach(() => void Object.assign(workspace, { getConfiguration }));

  it('are as if not set where a settings file has a value of another type', () => {
    const written: Readonly<Record<string, unknown>> = {
      proxy: 8080,
      proxySupport: ['off'],
      noProxy: ['a.example', 7],
    };
    Object.assign(workspace, { getConfiguration: () => ({ get: (name: string) => written[name] }) });
    assert.deepEqual(readEditorNetwork(), {
      proxy: '',
      proxySupport: 'override',
      noProxy: ['a.example'],
      hasProxyAuthorization: false,
      strictSsl: true,
      systemCertificates: true,
    });
  });
});

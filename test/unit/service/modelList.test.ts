import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeModels } from '../../../src/service/modelList.ts';

describe('Decoding the model list', () => {
  it('M1 finds the ids in any shape', () => {
    const shapes: readonly unknown[] = [
      { object: 'list', data: [{ id: 'svc-k3', object: 'model' }, { id: 'other' }] },
      { models: [{ name: 'svc-k3' }, { name: 'other' }] },
      { data: ['svc-k3', 'other'] },
      ['svc-k3', { id: 'other' }],
      { data: { 'svc-k3': {}, other: {} } },
      { models: [{ model: 'svc-k3' }, { model: 'other', name: 'Other' }] },
      { data: [{ model_id: 'svc-k3' }, { id: 'other' }] },
      { data: { models: [{ id: 'svc-k3' }, { id: 'other' }] } },
      { code: 0, data: { list: [{ id: 'svc-k3' }, { id: 'other' }], total: 2 } },
      { success: true, result: { data: ['svc-k3', 'other'] } },
      { items: [{ id: 'svc-k3' }, { id: 'other' }], tags: ['chat'] },
      { available: [{ id: 'svc-k3' }, { id: 'other' }] },
      { data: { 'svc-k3': { tags: ['chat'] }, other: { variants: [{ id: 'x' }] } } },
      { data: [null, 3, { id: 'svc-k3' }, { nothing: 1 }, 'other'] },
    ];
    for (const shape of shapes) assert.deepEqual(decodeModels(shape), ['svc-k3', 'other']);
  });

  it('M1 finds the id of a single record', () => {
    assert.deepEqual(decodeModels({ id: 'svc-k3', object: 'model', permission: [{ id: 'p' }] }), ['svc-k3']);
  });

  it('M1 finds none if there are none', () => {
    for (const shape of [null, 'x', 1, {}, { data: [] }, { data: 'x' }, { data: [], other: [{ id: 'x' }] }])
      assert.deepEqual(decodeModels(shape), []);
    assert.deepEqual(decodeModels({ data: { total: 0, list: [] } }), []);
  });
});

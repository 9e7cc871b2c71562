/** A store over the base model: each document is read and written by the schema of its own kind. */
import { mongooseStore } from '../../lib/mongoose';
import { describeMongodb } from '../support/mongodb';
import { written } from '../support/written';
import { invalidPointers } from './invalid-pointers';
import { connectModels } from './models';
import { releases } from './releases';

describeMongodb.each(releases)('Mongoose $release', ({ mongoose }) => {
  const { model, connection } = connectModels(mongoose);
  const { Schema } = mongoose;
  const shapes = new Schema({ color: String }, { discriminatorKey: 'kind' });
  const base = new Schema({ title: String, shapes: [shapes], shape: shapes }, { discriminatorKey: 'type' });
  base
    .path<InstanceType<typeof Schema.Types.DocumentArray>>('shapes')
    .discriminator('Circle', new Schema({ r: Number }));
  base
    .path<InstanceType<typeof Schema.Types.Subdocument>>('shape')
    .discriminator('Square', new Schema({ side: Number }));
  const Page = model('Page', base);
  const Link = Page.discriminator('Link', new Schema({ url: { type: String, required: true } }));

  beforeAll(() => connection.init());
  afterAll(() => connection.close());

  const change = async (members: object | ((value: { shapes: object[] }) => object)) => {
    const store = mongooseStore(Page);
    const link = await Link.create({
      title: 'a',
      url: 'x',
      shapes: [{ kind: 'Circle', r: 1, color: 'red' }],
    });
    const current = await store.get(String(link._id));
    if (current === undefined) throw new Error('Not found.');
    const changed = typeof members === 'function' ? members(current.value as never) : members;
    return written(await store.replace(String(link._id), '', { ...current.value, ...changed }, { current }));
  };

  test('members of a child are changed through the base', async () => {
    expect((await change({ url: 'y', title: 'b' })).value).toMatchObject({
      url: 'y',
      title: 'b',
      type: 'Link',
    });
  });

  test('its validators run, and its kind cannot be changed', async () => {
    expect(await invalidPointers(change({ url: null }))).toEqual(['/url']);
    expect(await invalidPointers(change({ type: 'Page' }))).toEqual(['/type']);
    expect(await invalidPointers(change({ r: 7 }))).toEqual(['/r']);
  });

  test('elements have their kinds, too', async () => {
    const shown = (await change({})).value['shapes'] as object[];
    expect(shown).toMatchObject([{ kind: 'Circle', r: 1, color: 'red' }]);
    expect((await change({ shapes: [{ kind: 'Circle', r: 2 }, { color: 'red' }] })).value).toMatchObject({
      shapes: [{ kind: 'Circle', r: 2 }, { color: 'red' }],
    });
    expect((await change({ shape: { kind: 'Square', side: 2 } })).value['shape']).toMatchObject({ side: 2 });
    expect(await invalidPointers(change({ shape: { kind: 'Circle', r: 2 } }))).toEqual([
      '/shape/kind',
      '/shape/r',
    ]);
    const rename = ([shape]: object[]) => ({ shapes: [{ ...shape, kind: 'Square' }] });
    expect(await invalidPointers(change(({ shapes }) => rename(shapes)))).toEqual(['/shapes/0/kind']);
    expect(await invalidPointers(change({ shapes: [{ kind: 'Square', r: 2 }] }))).toEqual([
      '/shapes/0/kind',
      '/shapes/0/r',
    ]);
    expect(await invalidPointers(change({ shapes: [{ kind: { $ne: 1 } }] }))).toEqual(['/shapes/0/kind']);
  });
});

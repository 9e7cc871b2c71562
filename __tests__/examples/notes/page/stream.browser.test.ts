import { describeExamplePage } from '../../../support/example-page';

describeExamplePage(
  'the stream of exchanges that the page shows',
  [{ id: '1', title: 'Buy milk', tags: [] }],
  (example) => {
    test('is opened again where it was ended, and misses nothing', async () => {
      const tab = await example.tab();
      const state = (name: string) => tab.locator(`#stream-state[data-state="${name}"]`).waitFor();
      const seen = (path: string) => tab.locator('.exchange', { hasText: path });
      await fetch(`${example.api}/notes/1?before`);
      await seen('/notes/1?before').waitFor();

      // By whatever changes it: it is over after a second, of which a busy machine may draw no frame.
      await tab.evaluate(`(() => {
        const state = document.getElementById('stream-state');
        globalThis.waited = new Promise((resolve) => {
          const see = () => state.dataset.state === 'waiting' && resolve();
          new MutationObserver(see).observe(state, { attributes: true });
        });
      })()`);
      example.cutConnections();
      await tab.evaluate('globalThis.waited');
      await fetch(`${example.api}/notes/1?meanwhile`);
      await state('live');
      await seen('/notes/1?meanwhile').waitFor();
      await fetch(`${example.api}/notes/1?after`);
      await seen('/notes/1?after').waitFor();
      for (const path of ['/notes/1?before', '/notes/1?meanwhile', '/notes/1?after']) {
        expect(await seen(path).count()).toBe(1);
      }
      await tab.context().close();
    });
  },
);

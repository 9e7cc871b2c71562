/** CORS alone, instead of npm `cors`: the methods come from the routes, so there is no list to maintain. */
import express from 'express';
import { corsPreflight } from 'patch-options';

const app = express();

// Mount the policy of a part before the policy of the whole app: the first one that a request reaches applies.
app.use('/account', corsPreflight({ origin: 'https://shop.example', credentials: true }));
app.use(
  corsPreflight({
    // Origins exactly as browsers send them: a trailing slash, or a RegExp, is an error at startup.
    origin: ['https://shop.example', 'https://*.partner.example', 'http://localhost:*'],
    // These lists replace the default lists, which contain ETag, Location and others.
    allowedHeaders: ['X-Request-Id'],
    exposedHeaders: ['X-Total-Count'],
    onRefused: ({ code, origin }) => {
      console.warn(`${code}: ${origin}`);
    },
  }),
);

// Unlike with npm `cors`, you need no app.options(…), and nothing on the routes.
app.get('/products', (_req, res) => {
  res.set('X-Total-Count', '1').json([{ id: 1, name: 'Tea' }]);
});
app
  .route('/products/:id')
  .get((req, res) => {
    res.json({ id: req.params.id, name: 'Tea' });
  })
  .put((_req, res) => {
    res.sendStatus(204);
  });
app.get('/account', (req, res) => {
  res.json({ signedIn: req.headers.cookie !== undefined });
});

app.listen(3000, '127.0.0.1');

/** CORS alone, in place of npm's `cors`: the methods come from the routes, so there is no list of them to keep up. */
import express from 'express';
import { corsPreflight } from 'patch-options';

const app = express();

// The policy of a part comes before that of the whole: the first that a request reaches claims it.
app.use('/account', corsPreflight({ origin: 'https://shop.example', credentials: true }));
app.use(
  corsPreflight({
    // Origins as browsers send them: a slash at the end, or a RegExp without ^ and $, is an error at start.
    origin: ['https://shop.example', 'https://*.partner.example', 'http://localhost:*'],
    // Given, the lists replace those by default, in which ETag, Location and others are.
    allowedHeaders: ['Content-Type', 'X-Request-Id'],
    exposedHeaders: ['X-Total-Count'],
    onRefused: ({ code, origin }) => {
      console.warn(`${code}: ${origin}`);
    },
  }),
);

// Where npm's `cors` would need it: no app.options(…), and nothing on the routes.
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

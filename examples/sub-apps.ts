/** Routes in several routers and apps: `Allow` is the union of the methods of all routes that a request for the path reaches. */
import express, { Router, type RequestHandler } from 'express';
import { declareMethods, methodNotAllowed, patchOptions } from 'patch-options';

const answer: RequestHandler = (req, res) => {
  res.json({ method: req.method, path: req.originalUrl });
};

const app = express();
app.use(patchOptions()); // once, on the outermost app

// A router with another router in it.
const items = Router();
items.delete('/:item', answer);
const orders = Router();
orders.get('/:id', answer);
orders.use('/:id/items', items);
app.use('/orders', orders);

// A separate app, mounted on a path that the router has too.
const returns = express();
returns.post('/:id', answer);
app.use('/orders', returns);

// A router behind a function, and static files: Express cannot see their methods, so they are declared.
const reports = Router();
reports.get('/:year', answer);
const audited: RequestHandler = (req, res, next) => {
  res.set('X-Audited', 'yes');
  reports(req, res, next);
};
app.use('/reports', declareMethods(reports, audited));
app.use('/files', declareMethods(['GET', 'HEAD'], express.static(__dirname)));

// OPTIONS /orders/7           Allow: GET, HEAD, OPTIONS, POST
// OPTIONS /orders/7/items/2   Allow: DELETE, OPTIONS
// OPTIONS /reports/2026       Allow: GET, HEAD, OPTIONS
// OPTIONS /files/sub-apps.js  Allow: GET, HEAD, OPTIONS
// OPTIONS /customers          404: there are no routes
app.use(methodNotAllowed()); // DELETE /orders/7 is 405, with the same Allow

app.listen(3000, '127.0.0.1');

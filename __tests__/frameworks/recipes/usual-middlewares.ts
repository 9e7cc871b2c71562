import type { Server } from 'node:http';
import compression from 'compression';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import session from 'express-session';
import helmet from 'helmet';
import multer from 'multer';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { methodNotAllowed, optionsListener } from 'patch-options';
import { Server as SocketServer } from 'socket.io';

passport.use(
  new Strategy((token, done) => {
    done(null, token === 'secret' ? { name: 'Ann' } : false);
  }),
);

export function start(port: number): Server {
  const app = express();
  app.use(helmet());
  app.use(compression({ threshold: 0 }));
  app.use(rateLimit({ limit: 10_000, standardHeaders: true, legacyHeaders: false }));
  app.use(session({ secret: 'test', resave: false, saveUninitialized: true }));
  app.use(passport.initialize());
  app.use(express.json());
  const signedIn = passport.authenticate('bearer', { session: false });

  app.get('/', (_req, res) => void res.send('home '.repeat(300)));
  app.post('/files', multer().single('file'), (req, res) => void res.json({ size: req.file?.size ?? 0 }));
  app
    .route('/me')
    .all(signedIn)
    .get((req, res) => void res.json(req.user))
    .patch((req, res) => void res.json(req.body));
  app.use('/static', express.static(__dirname));

  // docs: A server with other listeners
  app.use(methodNotAllowed());
  const server = app.listen(port);
  new SocketServer(server);

  // Before all other listeners, such as those of socket.io, Nest and Feathers. The methods are those of the app's routes.
  optionsListener(app, { cors: { origin: 'https://app.example' } }).attach(server);
  // end
  return server;
}

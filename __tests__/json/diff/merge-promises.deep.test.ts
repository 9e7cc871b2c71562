import './merge-promises.test';

import './one-tag.test';

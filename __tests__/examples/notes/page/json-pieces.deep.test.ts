import './json-pieces.test';

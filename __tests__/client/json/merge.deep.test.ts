import './merge.test';

import './merge-properties.test';

import './create-json-patch.test';

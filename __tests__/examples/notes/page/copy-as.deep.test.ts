import './copy-as.test';

import './kept-members.test';

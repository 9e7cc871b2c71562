#!/usr/bin/env node
import { runCommand } from './command';

void runCommand(process.argv.slice(2), process.stdout, process.stderr).then((status) => {
  process.exitCode = status;
});

import { run } from "./cli/commands";

// Whatever this program makes, a database, its write-ahead log, a backup, is its owner's alone.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2), process.env);

import { run } from "./cli/commands";

// Only the owner may read the files of this program: databases, write-ahead logs, backups.
process.umask(0o077);
process.exitCode = await run(process.argv.slice(2), process.env);

import { run } from "./cli/commands";

process.exitCode = await run(process.argv.slice(2), process.env);

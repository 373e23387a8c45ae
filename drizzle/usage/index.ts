// Written by `bun run migrations`.
import type { Migration } from "../../src/kernel/migrate";

export const migrations: readonly Migration[] = [
];

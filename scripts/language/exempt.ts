/** Names of keys in stored JSON. They cannot change without a migration. */
export const storedNames: ReadonlySet<string> = new Set(["isGivenBack"]);

/** Paths whose language is never checked: the history of releases, and the words that this check looks for. */
export const exempt: readonly string[] = ["CHANGELOG.md", "scripts/language/"];

// The tests' own setting for the whole run: answers are checked against their schemas (kernel/schema.ts, `answer`).
process.env.NODE_ENV = "test";

import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: ["./src/areas/*/table.usage.ts"],
	out: "./drizzle/usage",
});

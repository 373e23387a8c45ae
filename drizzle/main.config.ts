import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: [
		"./src/areas/*/table.ts",
		"./src/areas/subscriptions/table.simulations.ts",
		"./src/areas/subscriptions/table.usage-bills.ts",
		"./src/tasks/table.ts", "./src/http/table.ts",
	],
	out: "./drizzle/main",
});

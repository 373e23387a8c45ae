import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: [
		"./src/areas/*/table.ts",
		"./src/areas/*/table.receipts.ts",
		"./src/areas/*/*/table.ts",
		"./src/areas/credits/charging/*/table.ts",
		"./src/areas/subscriptions/table.{parts,changes}.ts",
		"./src/areas/subscriptions/billing/table.{minimums,highest-totals}.ts",
		"./src/kernel/storage/table.ts",
		"./src/tasks/table.ts",
		"./src/http/responses/table.ts",
	],
	out: "./drizzle/main",
});

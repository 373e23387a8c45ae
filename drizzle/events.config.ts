import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: ["./src/areas/*/table.events.ts", "./src/kernel/storage/table.marks.ts"],
	out: "./drizzle/events",
});

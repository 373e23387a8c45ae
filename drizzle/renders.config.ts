import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	schema: ["./src/areas/*/table.renders.ts"],
	out: "./drizzle/renders",
});

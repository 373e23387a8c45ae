import { Elysia } from "elysia";
import type { Services } from "../services";

/** Source: choices.md, "Running it": both answer without a key. */
export const healthRoutes = ({ notReady }: Services) =>
	new Elysia({ tags: ["Health"] })
		.get("/healthz", () => ({ status: "ok" }))
		.get("/readyz", ({ status }) => {
			const missing = notReady();
			return missing.length === 0 ? { status: "ready" } : status(503, { status: "not ready", missing });
		});

import { Elysia } from "elysia";
import type { Services } from "../services";

/** Source: choices.md, "Running it": both answer without a key. */
export const healthRoutes = ({ notReady, disk }: Services) =>
	new Elysia({ tags: ["Health"] })
		.get("/healthz", () => ({ status: "ok" }))
		.get("/readyz", async ({ status }) => {
			const message = await disk.trouble();
			const missing = [...notReady(), ...(message === undefined ? [] : ["disk"])];
			return missing.length === 0
				? { status: "ready" }
				: status(503, { status: "not ready", missing, ...(message !== undefined && { message }) });
		});

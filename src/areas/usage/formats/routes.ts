import { Elysia } from "elysia";
import { contentTypeOf } from "../../../http/body";
import { identity } from "../../../http/identity";
import { HttpRefusal } from "../../../http/refusal";
import { answer } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { usageOperations as operations } from "../openapi";
import type { Rejected } from "./rejected";
import { MetricsAnswer } from "./schema";

/** OpenTelemetry's own path, so that a collector needs only the server's address. */
export const metricsRoutes = (services: Services) =>
	new Elysia({ tags: ["Usage"], normalize: false }).use(identity(services)).post(
		"/v1/metrics",
		async ({ actor, body, request }) => {
			if (contentTypeOf(request) !== "application/json")
				throw new HttpRefusal(
					415,
					"Metrics are read as JSON: set 'encoding: json' on the collector's 'otlphttp' exporter, which sends them as 'application/json'.",
				);
			if ((request.headers.get("content-encoding") ?? "identity") !== "identity")
				throw new HttpRefusal(
					415,
					"Metrics are read as they are: set 'compression: none' on the collector's 'otlphttp' exporter.",
				);
			return viewRejected(await services.intake.accept(actor, String(body), "metrics"));
		},
		{
			detail: operations.metrics,
			permit: { scope: "USAGE:WRITE", body: "text", contentTypes: "any" },
			response: answer(MetricsAnswer),
		},
	);

const viewRejected = (rejected: Rejected | undefined): MetricsAnswer =>
	rejected
		? {
				partialSuccess: {
					rejectedDataPoints: String(rejected.points),
					errorMessage: rejected.reasons.join("; "),
				},
			}
		: {};

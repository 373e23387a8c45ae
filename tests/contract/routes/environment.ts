import { none, type Template } from "./template";

const clock = {
	path: "/environments/{environment}/clock",
	unknown: [[`/environments/${none}/clock`, "EnvironmentMissing"]],
} as const;

const ofEnvironment = (tail: string) =>
	({
		path: `/environments/{environment}${tail}`,
		unknown: [[`/environments/${none}${tail}`, "EnvironmentMissing"]],
	}) as const;

const ofKey = (name: "kept" | "rotated" | "ended", tail = "") =>
	({
		path: `/api-keys/{${name}Key}${tail}`,
		unknown: [[`/api-keys/01900000-0000-7000-8000-000000000000${tail}`, "ApiKeyNotFound"]],
	}) as const;

export const environment: Record<string, Template> = {
	"GET /system-status": { path: "/system-status", scope: "ENVIRONMENT:WRITE", foreign: "its own" },
	"GET /tasks": { path: "/tasks", isFiltered: true, foreign: "an empty list" },
	"GET /tasks/:taskId": { path: "/tasks/{task}", unknown: [[`/tasks/${none}`, null]] },
	"GET /audit-log": {
		path: "/audit-log",
		scope: "AUDIT_LOG:READ",
		query: "operation=customers.create",
		foreign: "an empty list",
	},
	"GET /api-keys": { path: "/api-keys", scope: "API_KEY:READ", foreign: "its own" },
	"POST /api-keys": {
		path: "/api-keys",
		scope: "API_KEY:WRITE",
		body: { displayName: "Reader", scopes: [{ resource: "API_KEY", action: "READ" }] },
		foreign: "its own",
	},
	"GET /api-keys/:id": { ...ofKey("kept"), scope: "API_KEY:READ" },
	"PATCH /api-keys/:id": { ...ofKey("kept"), scope: "API_KEY:WRITE", body: { description: "Kept" } },
	"POST /api-keys/:id/rotate": {
		...ofKey("rotated", "/rotate"),
		scope: "API_KEY:WRITE",
		body: { keepUntil: "2026-12-31T00:00:00Z" },
	},
	"DELETE /api-keys/:id": { ...ofKey("ended"), scope: "API_KEY:WRITE" },
	"GET /environments": { path: "/environments", scope: "ENVIRONMENT:READ", foreign: "its own" },
	"POST /environments": {
		path: "/environments",
		scope: "ENVIRONMENT:WRITE",
		body: { name: "Staging" },
		// For people.
		answers: [403, "IdentityForbidden"],
		foreign: "the same",
	},
	"GET /environments/:id": { ...ofEnvironment(""), scope: "ENVIRONMENT:READ" },
	"PATCH /environments/:id": { ...ofEnvironment(""), scope: "ENVIRONMENT:WRITE", body: { unknownCustomers: "refuse" } },
	"POST /environments/:id/archive": {
		...ofEnvironment("/archive"),
		scope: "ENVIRONMENT:WRITE",
		answers: [403, "IdentityForbidden"],
	},
	"POST /environments/:id/merge": {
		...ofEnvironment("/merge"),
		scope: "ENVIRONMENT:WRITE",
		also: "CATALOG:WRITE",
		body: { from: none },
		// A key sees no other environment.
		answers: [404, "EnvironmentMissing"],
	},
	"GET /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:READ" },
	// Frozen where the wall clock stands: nothing falls due, and it can be released.
	"POST /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:WRITE", body: {} },
	"DELETE /environments/:id/clock": { ...clock, scope: "ENVIRONMENT:WRITE" },
};

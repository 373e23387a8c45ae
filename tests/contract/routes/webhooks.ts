import { none, type Template } from "./template";

const ofWebhook = (tail: string) => ({
	path: `/webhooks/{webhook}${tail}`,
	// The catalogue has no code for it.
	unknown: [[`/webhooks/${none}${tail}`, null]] as const,
});

const endpoint = "https://example.com/hook";

const writesWebhooks = { scope: "WEBHOOK:WRITE" } as const;

const readsWebhooks = { scope: "WEBHOOK:READ" } as const;

export const webhooks: Record<string, Template> = {
	"GET /webhooks/event-types": { path: "/webhooks/event-types", ...readsWebhooks, foreign: "its own" },
	"GET /webhooks": { path: "/webhooks", ...readsWebhooks, foreign: "an empty list" },
	"POST /webhooks": { path: "/webhooks", ...writesWebhooks, body: { endpoint }, foreign: "its own" },
	"GET /webhooks/:id": { ...ofWebhook(""), ...readsWebhooks },
	"PATCH /webhooks/:id": { ...ofWebhook(""), ...writesWebhooks, body: { description: "Changed" } },
	"POST /webhooks/:id/rotate-secret": { ...ofWebhook("/rotate-secret"), ...writesWebhooks },
	"POST /webhooks/:id/test": { ...ofWebhook("/test"), ...writesWebhooks },
	"GET /webhooks/:id/deliveries": { ...ofWebhook("/deliveries"), ...readsWebhooks },
	"POST /webhooks/:id/replay": {
		...ofWebhook("/replay"),
		...writesWebhooks,
		body: { since: "2026-01-01T00:00:00Z" },
	},
	"GET /webhook-deliveries/:id": {
		path: "/webhook-deliveries/{delivery}",
		unknown: [[`/webhook-deliveries/${none}`, null]],
		...readsWebhooks,
	},
	"POST /webhooks/deliveries/:id/replay": {
		path: "/webhooks/deliveries/{delivery}/replay",
		unknown: [[`/webhooks/deliveries/${none}/replay`, null]],
		...writesWebhooks,
	},
	"GET /events-out": { path: "/events-out", query: "limit=2", ...readsWebhooks, foreign: "its own" },
	"GET /stream/events-out": { path: "/stream/events-out", query: "once=true", ...readsWebhooks, foreign: "its own" },
	// The last one: nothing can be done to the webhook after it.
	"DELETE /webhooks/:id": { ...ofWebhook(""), ...writesWebhooks },
};

import type { AnyElysia } from "elysia";
import { Declarations } from "./http/fast-path/route-schemas";
import { routes as access } from "./routes/access";
import { routes as catalogue } from "./routes/catalogue";
import { routes as collection } from "./routes/collection";
import { compose } from "./routes/compose";
import { routes as contracts } from "./routes/contracts";
import { routes as credits } from "./routes/credits";
import { routes as customers } from "./routes/customers";
import { routes as entitlements } from "./routes/entitlements";
import { routes as graphql } from "./routes/graphql";
import { routes as invoices } from "./routes/invoices";
import { routes as outgoing } from "./routes/outgoing";
import { routes as pages } from "./routes/pages";
import { routes as portal } from "./routes/portal";
import { routes as probes } from "./routes/probes";
import { routes as subscriptions } from "./routes/subscriptions";
import type { Services } from "./server/context";

/** The groups in the order of the OpenAPI document. */
const groups = [
	...[pages, probes, access, credits, catalogue, customers, entitlements, subscriptions, invoices],
	...[collection, contracts, outgoing, portal, graphql],
] as const;

/** Composes all routes in one app, for the OpenAPI document and tests. A server composes them in groups (routes/groups.ts). */
export const createApp = (services: Services): AnyElysia => composeApp(services).app;

/** Composes the app, with the declarations of its routes. */
export function composeApp(services: Services): { readonly app: AnyElysia; readonly declarations: Declarations } {
	const declarations = new Declarations();
	const all = groups.flatMap((routes) => routes(services, async () => app.routes));
	const app: AnyElysia = compose(services, declarations, all);
	return { app, declarations };
}

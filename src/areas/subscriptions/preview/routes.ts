import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { RefId, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { packagePreviewOperations as operations } from "../openapi";
import { previewAddon, previewPlan } from "./package";
import { SubscriptionPreviewed } from "./schema";
import { AddonPreview, PlanPreview } from "./schema.package";
import { viewPreview } from "./view";

const params = Type.Object({ id: RefId });
// As a simulation: it may show what is not sold yet, and what a customer would pay. What it does is taken back.
const permit = { scope: "CATALOG:READ", also: "SUBSCRIPTION:READ" } as const;
const response = single(SubscriptionPreviewed);

/** What is not sold yet, or not to anybody in particular, in figures: below plans and addons, by the preview of subscriptions. */
export const packagePreviewRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", normalize: false })
		.use(identity(services))
		.post(
			"/plans/:id/preview",
			({ write, params: { id }, body }) => write((work) => ({ data: viewPreview(previewPlan(work, id, body)) })),
			{ detail: { ...operations.plan, tags: ["Plans"] }, permit, params, body: PlanPreview, response },
		)
		.post(
			"/addons/:id/preview",
			({ write, params: { id }, body }) => write((work) => ({ data: viewPreview(previewAddon(work, id, body)) })),
			{ detail: { ...operations.addon, tags: ["Addons"] }, permit, params, body: AddonPreview, response },
		);

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
// The scopes of a simulation: a preview may show unpublished prices, and a customer's amounts. It is rolled back.
const permit = { scope: "CATALOG:READ", also: "SUBSCRIPTION:READ" } as const;
const response = single(SubscriptionPreviewed);

/** Routes of plans and addons that preview a sale, also of a draft and without a customer. */
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

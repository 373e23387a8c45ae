import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { detailOf } from "./details";
import { convertTrial } from "./lifecycle/end-trial";
import { lifecycleOperations as operations } from "./lifecycle/openapi";
import { pause } from "./lifecycle/pause";
import { resume } from "./lifecycle/resume";
import { DryRunQuery } from "./lifecycle/schema";
import { endSubscriptionTrial, pauseSubscription, resumeSubscription } from "./operations";
import { previewStateChange } from "./preview/preview";
import { SubscriptionPreviewed } from "./preview/schema";
import { viewPreview } from "./preview/view";
import { Subscription, SubscriptionPath, SubscriptionPause, SubscriptionResume } from "./schema";
import { viewSubscription } from "./view";

const limited = { scope: "SUBSCRIPTION:WRITE", limitedBy: "subscription" } as const;
const params = SubscriptionPath;
/** With `dryRun=true` the answer is a preview, as of `POST /subscriptions/preview`. */
const response = single(Type.Union([Subscription, SubscriptionPreviewed]));

/** Routes that change the state of a subscription. All are additions to the reference service's routes. */
export const subscriptionLifecycleRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/subscriptions", tags: ["Subscriptions"], normalize: false })
		.use(identity(services))
		.post(
			"/:id/trial/end",
			({ write, params: { id }, query: { dryRun } }) =>
				write((work) =>
					dryRun === "true"
						? { data: viewPreview(previewStateChange(work, id, convertTrial)) }
						: { data: viewSubscription(detailOf(work, endSubscriptionTrial(work, id)), work.now) },
				),
			{ detail: operations.endTrial, permit: limited, params, query: DryRunQuery, response },
		)
		.post(
			"/:id/pause",
			({ write, params: { id }, query: { dryRun }, body = {} }) =>
				write((work) =>
					dryRun === "true"
						? { data: viewPreview(previewStateChange(work, id, (then, row) => pause(then, row, body))) }
						: { data: viewSubscription(detailOf(work, pauseSubscription(work, id, body)), work.now) },
				),
			{
				detail: operations.pause,
				permit: limited,
				params,
				query: DryRunQuery,
				body: Type.Union([SubscriptionPause, Type.Undefined()]),
				response,
			},
		)
		.post(
			"/:id/resume",
			({ write, params: { id }, query: { dryRun }, body = {} }) =>
				write((work) =>
					dryRun === "true"
						? { data: viewPreview(previewStateChange(work, id, (then, row) => resume(then, row, body))) }
						: { data: viewSubscription(detailOf(work, resumeSubscription(work, id, body)), work.now) },
				),
			{
				detail: operations.resume,
				permit: limited,
				params,
				query: DryRunQuery,
				body: Type.Union([SubscriptionResume, Type.Undefined()]),
				response,
			},
		);

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { Charge } from "../packages/charges/schema";
import { chargePage, packageEntitlementRoutes, pricingOf, versionRoutes } from "../packages/endpoints";
import { getPackage, getVersion, listPackages, listVersions } from "../packages/operations";
import { detailsOfVersions } from "../packages/operations.details";
import { setIssuer } from "../packages/operations.issuer";
import { ChargeListQuery, PackageListQuery, VersionListQuery, VersionQuery } from "../packages/schema";
import { archivePackage, createDraft } from "../packages/versions/operations";
import { publishing } from "../subscriptions/versions/operations.publish";
import { planOperations as operations } from "./openapi";
import { createPlan, updatePlan } from "./operations";
import { Plan, PlanCreate, PlanInvoicing, PlanInvoicingUpdate, PlanUpdate, PlanUpdated } from "./schema";
import { viewPlan } from "./view";

const params = Type.Object({ id: RefId });
const readable = { scope: "CATALOG:READ", publishable: true } as const;

type Version = ReturnType<typeof getVersion>;
const present = (work: Work, version: Version) => ({
	data: viewPlan(version, detailsOfVersions(work, [version])(version)),
});

const invoicing = ({ refId, legalEntityId }: ReturnType<typeof getPackage>) => ({
	data: { planId: refId, legalEntityId },
});

/** With its prices, which the same call may have set. */
const presentWhole = (work: Work, version: Version) => ({
	data: { ...present(work, version).data, ...pricingOf(work, version, publishing.chargesInUse) },
});

export const planRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/plans", tags: ["Plans"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listPackages(work, "PLAN", query);
					const detailsOf = detailsOfVersions(
						work,
						page.rows.map(({ version }) => version),
					);
					return viewPage(page, ({ version }) => viewPlan(version, detailsOf(version)));
				}),
			{ detail: operations.list, permit: readable, query: PackageListQuery, response: listOf(Plan) },
		)
		.post("", ({ create, body }) => create((work) => present(work, createPlan(work, body))), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: PlanCreate,
			response: { 201: single(Plan) },
		})
		.get(
			"/:id",
			({ read, params: { id }, query }) => read((work) => present(work, getVersion(work, "PLAN", id, query))),
			{ detail: operations.retrieve, permit: readable, params, query: VersionQuery, response: single(Plan) },
		)
		.get(
			"/:id/versions",
			({ read, params: { id }, query }) =>
				read((work) => {
					const page = listVersions(work, "PLAN", id, query);
					const detailsOf = detailsOfVersions(work, page.rows);
					return viewPage(page, (version) => viewPlan(version, detailsOf(version)));
				}),
			// Only server keys see former versions and drafts.
			{
				detail: operations.listVersions,
				permit: "CATALOG:READ",
				params,
				query: VersionListQuery,
				response: listOf(Plan),
			},
		)
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => presentWhole(work, updatePlan(work, id, body))),
			{ detail: operations.update, permit: "CATALOG:WRITE", params, body: PlanUpdate, response: single(PlanUpdated) },
		)
		.post("/:id/draft", ({ write, params: { id } }) => write((work) => present(work, createDraft(work, "PLAN", id))), {
			detail: operations.createDraft,
			permit: "CATALOG:WRITE",
			params,
			response: single(Plan),
		})
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => present(work, archivePackage(work, "PLAN", id))),
			{ detail: operations.archive, permit: "CATALOG:WRITE", params, response: single(Plan) },
		)
		.get(
			"/:id/overage-charges",
			({ read, params: { id }, query }) =>
				read((work) => chargePage(work, "PLAN", id, true, query, publishing.chargesInUse)),
			{
				detail: operations.listOverageCharges,
				permit: readable,
				params,
				query: ChargeListQuery,
				response: listOf(Charge),
			},
		)
		.get("/:id/invoicing", ({ read, params: { id } }) => read((work) => invoicing(getPackage(work, "PLAN", id))), {
			detail: operations.retrieveInvoicing,
			permit: "CATALOG:READ",
			params,
			response: single(PlanInvoicing),
		})
		.patch(
			"/:id/invoicing",
			({ write, params: { id }, body }) => write((work) => invoicing(setIssuer(work, "PLAN", id, body.legalEntityId))),
			{
				detail: operations.updateInvoicing,
				permit: "CATALOG:WRITE",
				params,
				body: PlanInvoicingUpdate,
				response: single(PlanInvoicing),
			},
		)
		.use(versionRoutes(services, "PLAN", publishing))
		.use(packageEntitlementRoutes(services, "PLAN"));

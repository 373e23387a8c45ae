import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { packageEntitlementRoutes, versionRoutes } from "../packages/endpoints";
import { getVersion, listPackages, listVersions } from "../packages/operations";
import { detailsOfVersions } from "../packages/operations.details";
import { PackageListQuery, VersionListQuery, VersionQuery } from "../packages/schema";
import { archivePackage, createDraft } from "../packages/versions/operations";
import { publishing } from "../subscriptions/versions/operations.publish";
import { addonOperations as operations } from "./openapi";
import { createAddon, updateAddon } from "./operations";
import { Addon, AddonCreate, AddonUpdate } from "./schema";
import { viewAddon } from "./view";

const params = Type.Object({ id: RefId });
const readable = { scope: "CATALOG:READ", publishable: true } as const;

type Version = ReturnType<typeof getVersion>;
const present = (work: Work, version: Version) => ({
	data: viewAddon(version, detailsOfVersions(work, [version])(version)),
});

export const addonRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/addons", tags: ["Addons"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listPackages(work, "ADDON", query);
					const detailsOf = detailsOfVersions(
						work,
						page.rows.map(({ version }) => version),
					);
					return viewPage(page, ({ version }) => viewAddon(version, detailsOf(version)));
				}),
			{ detail: operations.list, permit: readable, query: PackageListQuery, response: listOf(Addon) },
		)
		.post("", ({ create, body }) => create((work) => present(work, createAddon(work, body))), {
			detail: operations.create,
			permit: "CATALOG:WRITE",
			body: AddonCreate,
			response: { 201: single(Addon) },
		})
		.get(
			"/:id",
			({ read, params: { id }, query }) => read((work) => present(work, getVersion(work, "ADDON", id, query))),
			{ detail: operations.retrieve, permit: readable, params, query: VersionQuery, response: single(Addon) },
		)
		.get(
			"/:id/versions",
			({ read, params: { id }, query }) =>
				read((work) => {
					const page = listVersions(work, "ADDON", id, query);
					const detailsOf = detailsOfVersions(work, page.rows);
					return viewPage(page, (version) => viewAddon(version, detailsOf(version)));
				}),
			// Only server keys see former versions and drafts.
			{
				detail: operations.listVersions,
				permit: "CATALOG:READ",
				params,
				query: VersionListQuery,
				response: listOf(Addon),
			},
		)
		.patch("/:id", ({ write, params: { id }, body }) => write((work) => present(work, updateAddon(work, id, body))), {
			detail: operations.update,
			permit: "CATALOG:WRITE",
			params,
			body: AddonUpdate,
			response: single(Addon),
		})
		.post("/:id/draft", ({ write, params: { id } }) => write((work) => present(work, createDraft(work, "ADDON", id))), {
			detail: operations.createDraft,
			permit: "CATALOG:WRITE",
			params,
			response: single(Addon),
		})
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => present(work, archivePackage(work, "ADDON", id))),
			{ detail: operations.archive, permit: "CATALOG:WRITE", params, response: single(Addon) },
		)
		.use(versionRoutes(services, "ADDON", publishing))
		.use(packageEntitlementRoutes(services, "ADDON"));

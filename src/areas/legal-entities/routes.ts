import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { HttpRefusal } from "../../http/refusal";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { getIssuer, shownBy } from "./details";
import { legalEntityOperations as operations } from "./openapi";
import {
	archiveLegalEntity,
	createLegalEntity,
	getLogo,
	type Issuer,
	listAllLegalEntities,
	updateLegalEntity,
} from "./operations";
import {
	LegalEntityCreate,
	LegalEntityDetails,
	LegalEntityListQuery,
	LegalEntityPath,
	LegalEntityUpdate,
} from "./schema";

const show = (work: Work, issuer: Issuer) => ({ data: shownBy(work, [issuer])(issuer) });

const params = LegalEntityPath;
const response = single(LegalEntityDetails);

/** The right to change payment accounts is the right to change the environment. */
const permit = "ENVIRONMENT:WRITE";

export const legalEntityRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/legal-entities", tags: ["Legal entities"], normalize: false })
		.use(identity(services))
		.get(
			"",
			async ({ actor, read, query }) => {
				const list = () =>
					read((work) => {
						const page = listAllLegalEntities(work, query);
						return viewPage(page, shownBy(work, page.rows));
					});
				const listed = await list();
				if (listed.data.length > 0 || query.after !== undefined || query.before !== undefined) return listed;
				// The first call makes the default one.
				await services.write(actor, "makeDefaultLegalEntity", null);
				return await list();
			},
			{
				detail: operations.list,
				permit: "INVOICE:READ",
				query: LegalEntityListQuery,
				response: listOf(LegalEntityDetails),
			},
		)
		.post("", ({ create, body }) => create((work) => show(work, createLegalEntity(work, body))), {
			detail: operations.create,
			permit,
			body: LegalEntityCreate,
			response: { 201: response },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => show(work, getIssuer(work, id))), {
			detail: operations.retrieve,
			permit: "INVOICE:READ",
			params,
			response,
		})
		.get(
			"/:id/logo",
			({ actor, params: { id } }) => {
				const { contentType, bytes } = services.transactions.read(actor, (work) => {
					const { logoId } = getIssuer(work, id).entity;
					if (logoId === null) throw new HttpRefusal(404, `The legal entity '${id}' has no logo.`);
					return getLogo(work, logoId);
				});
				return new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } });
			},
			{ detail: operations.retrieveLogo, permit: "INVOICE:READ", params },
		)
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => show(work, updateLegalEntity(work, getIssuer(work, id), body))),
			{ detail: operations.update, permit, params, body: LegalEntityUpdate, response },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => show(work, archiveLegalEntity(work, getIssuer(work, id)))),
			{ detail: operations.archive, permit, params, response },
		);

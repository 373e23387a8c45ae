import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { bankOperations as operations } from "../openapi";
import { BankImport, BankImportPath, BankImportQuery, BankListQuery } from "../schema";
import { viewImport } from "../view";
import { getImport, listImports } from "./operations";
import { receiveFile } from "./receive";

/** The routes of imports. The thread that receives a file reads it in slices; a job records its entries. */
export const bankImportRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/bank-imports", tags: ["Bank"], normalize: false })
		.use(identity(services))
		.post(
			"",
			({ actor, body, cause, once, query: { account }, status }) =>
				once(async () => ({ data: await receiveFile(services, actor, { text: body, account, cause: cause() }) })).then(
					(answer) => status(201, answer),
				),
			{
				detail: operations.import,
				permit: { scope: "INVOICE:WRITE", body: "text", contentTypes: "any", takesLong: true },
				body: Type.String(),
				...{ query: BankImportQuery, response: { 201: single(BankImport) } },
			},
		)
		.get("", ({ read, query }) => read((work) => viewPage(listImports(work, query), viewImport)), {
			...{ detail: operations.listImports, permit: "INVOICE:READ" },
			...{ query: BankListQuery, response: listOf(BankImport) },
		})
		.get(
			"/:importId",
			({ read, params: { importId } }) => read((work) => ({ data: viewImport(getImport(work, importId)) })),
			{
				...{ detail: operations.retrieveImport, permit: "INVOICE:READ" },
				...{ params: BankImportPath, response: single(BankImport) },
			},
		);

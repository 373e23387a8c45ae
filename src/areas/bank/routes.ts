import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { bankOperations as operations } from "./openapi";
import { listBankAccounts, setBankAccount } from "./operations.accounts";
import { listStatements } from "./operations.statements";
import {
	BankAccount,
	BankAccountPath,
	BankAccountSettings,
	BankListQuery,
	BankStatement,
	BankStatementListQuery,
} from "./schema";
import { viewAccount, viewStatement } from "./view";

/** The routes of bank accounts and their statements. */
export const bankRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1", tags: ["Bank"], normalize: false })
		.use(identity(services))
		.get("/bank-accounts", ({ read, query }) => read((work) => viewPage(listBankAccounts(work, query), viewAccount)), {
			...{ detail: operations.listAccounts, permit: "INVOICE:READ" },
			...{ query: BankListQuery, response: listOf(BankAccount) },
		})
		.put(
			"/bank-accounts/:iban",
			({ write, params: { iban }, body }) => write((work) => ({ data: viewAccount(setBankAccount(work, iban, body)) })),
			{
				...{ detail: operations.setAccount, permit: "INVOICE:WRITE", params: BankAccountPath },
				...{ body: BankAccountSettings, response: single(BankAccount) },
			},
		)
		.get(
			"/bank-statements",
			({ read, query }) => read((work) => viewPage(listStatements(work, query), (row) => viewStatement(work, row))),
			{
				...{ detail: operations.listStatements, permit: "INVOICE:READ" },
				...{ query: BankStatementListQuery, response: listOf(BankStatement) },
			},
		);

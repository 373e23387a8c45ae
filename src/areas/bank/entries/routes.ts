import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { bankOperations as operations } from "../openapi";
import { BankEntry, BankEntryConfirmation, BankEntryListQuery, BankEntryPath } from "../schema";
import type { BankEntryRow } from "../table";
import { entriesShown, viewEntry } from "../view";
import { confirmEntry, getEntry, listEntries, rejectEntry, undoEntry } from "./operations";

const shown = (work: Work, row: BankEntryRow) => ({ data: viewEntry(work, row) });

const decision = { permit: "INVOICE:WRITE", params: BankEntryPath, response: single(BankEntry) } as const;

/** The routes of entries: their list, and the decisions of a person. */
export const bankEntryRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/bank-entries", tags: ["Bank"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listEntries(work, query);
					return viewPage(page, entriesShown(work, page.rows));
				}),
			{
				...{ detail: operations.listEntries, permit: "INVOICE:READ" },
				...{ query: BankEntryListQuery, response: listOf(BankEntry) },
			},
		)
		.get("/:entryId", ({ read, params: { entryId } }) => read((work) => shown(work, getEntry(work, entryId))), {
			...{ detail: operations.retrieveEntry, permit: "INVOICE:READ" },
			...{ params: BankEntryPath, response: single(BankEntry) },
		})
		.post(
			"/:entryId/confirm",
			({ write, params: { entryId }, body }) => write((work) => shown(work, confirmEntry(work, entryId, body))),
			{ ...decision, detail: operations.confirmEntry, body: BankEntryConfirmation },
		)
		.post(
			"/:entryId/reject",
			({ write, params: { entryId } }) => write((work) => shown(work, rejectEntry(work, entryId))),
			{ ...decision, detail: operations.rejectEntry },
		)
		.post(
			"/:entryId/undo",
			({ write, params: { entryId } }) => write((work) => shown(work, undoEntry(work, entryId))),
			{
				...{ ...decision, detail: operations.undoEntry },
			},
		);

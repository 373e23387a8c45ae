import { noteUses } from "../areas/access/keys/operations";
import { noteSessionUses } from "../areas/access/sign-in/operations.sessions";
import { acceptImport, dropParts, type ImportPart, type ImportStart, keepPart } from "../areas/bank/imports/operations";
import type { BankImport } from "../areas/bank/schema";
import type { AttemptCall, StepReport } from "../areas/collection/attempts/operations.steps";
import type { PlannedChange } from "../areas/collection/connections/operations";
import type { keepDisputeProblem, ReportedDispute } from "../areas/collection/disputes/operations";
import type { LookedEvents, ReceivedEvent } from "../areas/collection/events/operations";
import type { DetachReport } from "../areas/collection/methods/operations.choose";
import type { MethodAttach } from "../areas/collection/methods/schema";
import type { CallReport } from "../areas/collection/operations.calls";
import type { PageLook } from "../areas/collection/pages/operations";
import type { MethodSetup } from "../areas/collection/pages/schema";
import type { beginRefundStep, RefundCall, RefundReport } from "../areas/collection/refunds/operations";
import { acceptConsumptions, consumeCredits } from "../areas/credits/consumption/operations";
import type { CreditConsumption, CreditConsumptions, CreditsConsumed } from "../areas/credits/consumption/schema";
import { saveAnnouncement } from "../areas/direct-debit/operations.announce";
import type { Announcement } from "../areas/direct-debit/schema";
import { endReminder } from "../areas/dunning/mails/operations";
import type { MailStatus } from "../areas/dunning/schema.values";
import { consume } from "../areas/entitlements/consumption/operations";
import { reserve } from "../areas/entitlements/consumption/operations.reservations";
import type {
	ConsumeBody,
	Consumption,
	ReservationAnswer,
	ReservationBody,
} from "../areas/entitlements/consumption/schema";
import type { Resolve } from "../areas/entitlements/operations";
import { ResolvedCache } from "../areas/entitlements/operations.remembered";
import { type BudgetCorrections, correctBudgets } from "../areas/governance/operations.check";
import { type SignIn, signInByProvider } from "../areas/identity-providers/operations.sign-in";
import type { planDisputeCall } from "../areas/invoices/disputes/operations.provider";
import { ensureDefaultLegalEntity } from "../areas/legal-entities/operations";
import { type ErasedElsewhere, keepErased } from "../areas/privacy/operations.steps";
import { disableFailing, keepPositions } from "../areas/webhooks/operations";
import type { Instant } from "../kernel/clock";
import { assert } from "../kernel/errors";
import { type Actor, type Cause, type Transactions, type Work, writeDurably } from "../kernel/work";
import { announcedDebitOf, endMail, reminderOf } from "../mail/operations";
import {
	claimTask,
	completeTask,
	failTask,
	getClaimedTask,
	progressTask,
	putBackTask,
	releaseTasks,
} from "../tasks/operations";
import type { TaskType } from "../tasks/rules";
import type { TaskRow } from "../tasks/table";

/** The writes by name, with input and answer. Both are plain JSON, since they pass from one thread to another. */
interface Writes {
	renderInvoice: { input: { customerRef: string; invoiceRef: string }; answer: string };
	renderCreditNote: { input: { creditNoteId: string }; answer: string };
	renderReceipt: { input: { receiptId: string }; answer: string };
	renderOrderForm: { input: { contractRef: string }; answer: string };
	consume: { input: ConsumptionOf<ConsumeBody>; answer: { data: Consumption } };
	reserve: { input: ConsumptionOf<ReservationBody>; answer: { data: ReservationAnswer } };
	consumeCredits: { input: CreditConsumption; answer: { data: CreditsConsumed } };
	acceptConsumptions: { input: CreditConsumptions; answer: { data: Record<never, never> } };
	keepBankPart: { input: ImportPart; answer: null };
	/** The id of an import whose file was rejected. */
	dropBankParts: { input: string; answer: null };
	startBankImport: { input: ImportStart & { cause: Cause }; answer: BankImport };
	signInByProvider: { input: SignIn; answer: { token: string; expiresAt: Instant } };
	/** Ids of keys of any environment. */
	noteKeyUses: { input: readonly string[]; answer: null };
	makeDefaultLegalEntity: { input: null; answer: null };
	disableWebhook: { input: { id: string; reason: string }; answer: null };
	keepWebhookPositions: { input: ReadonlyArray<readonly [id: string, position: number]>; answer: null };
	claimTask: { input: readonly TaskType[]; answer: TaskRow | undefined };
	progressTask: { input: { task: TaskRow; doneCount: number }; answer: null };
	completeTask: { input: TaskRow; answer: null };
	failTask: { input: { task: TaskRow; error: string }; answer: null };
	putBackTask: { input: TaskRow; answer: null };
	endMail: { input: TaskRow; answer: null };
	endReminder: { input: { task: TaskRow; id: string; status: MailStatus }; answer: null };
	endAnnouncement: { input: { task: TaskRow; id: string; status: Announcement }; answer: null };
	keepErased: { input: ErasedElsewhere; answer: null };
	/** Ids of sessions of any user. */
	noteSessionUses: { input: readonly string[]; answer: null };
	correctBudgets: { input: BudgetCorrections; answer: null };
	/** Returns the id of the call that verifies the credentials first; null if the change is made. */
	changeProviderConnection: { input: { planned: PlannedChange; cause: Cause }; answer: string | null };
	planMethodPage: {
		input: { customerRef: string; setup: MethodSetup; cause: Cause };
		answer: { callId: string; pageId: string };
	};
	/** Returns the id of the call that looks up the method. */
	planMethodAttachment: { input: { customerRef: string; attach: MethodAttach; cause: Cause }; answer: string };
	applyPageLook: { input: { pageId: string; look: PageLook }; answer: null };
	applyMethodDetachment: { input: DetachReport; answer: null };
	beginAttemptStep: { input: { attemptId: string; can: StepReport["can"] }; answer: AttemptCall | null };
	applyAttemptStep: { input: StepReport; answer: null };
	/** Returns the id of the call that answers the dispute. */
	planDisputeCall: { input: Parameters<typeof planDisputeCall>[1]; answer: string };
	applyProviderDispute: { input: ReportedDispute; answer: null };
	beginRefundStep: { input: Parameters<typeof beginRefundStep>[1]; answer: RefundCall | null };
	applyRefundStep: { input: RefundReport; answer: null };
	keepDisputeProblem: { input: Parameters<typeof keepDisputeProblem>[1]; answer: null };
	keepProviderEvent: { input: ReceivedEvent; answer: null };
	endProviderEvents: { input: LookedEvents; answer: null };
	endProviderCall: { input: { callId: string; report: CallReport }; answer: null };
	/** Returns the number of released tasks. */
	releaseTasks: { input: readonly TaskType[]; answer: number };
}

interface ConsumptionOf<Body> {
	readonly customerRef: string;
	readonly featureRef: string;
	readonly body: Body;
}

export type WriteName = keyof Writes;
export type WriteInput<Name extends WriteName> = Writes[Name]["input"];
export type WriteAnswer<Name extends WriteName> = Writes[Name]["answer"];

type WritesOf = { readonly [Name in WriteName]: (work: Work, input: WriteInput<Name>) => WriteAnswer<Name> };

/** Writes of usage, and of hints that no response shows, thousands a second: caches of the main file stay valid. */
const ofUsage: ReadonlySet<WriteName> = new Set([
	"consume",
	"reserve",
	"consumeCredits",
	"acceptConsumptions",
	"noteKeyUses",
	"noteSessionUses",
	"keepWebhookPositions",
	"correctBudgets",
	"keepProviderEvent",
	"endProviderEvents",
]);

/** The writes of documents. Their modules are loaded at the first of them, because many servers render none. */
const ofDocuments: ReadonlySet<WriteName> = new Set([
	"renderInvoice",
	"renderCreditNote",
	"renderReceipt",
	"renderOrderForm",
]);

/** The writes of payments. Their modules are loaded at the first of them, because many servers have no provider. */
const ofCollection: ReadonlySet<WriteName> = new Set([
	"changeProviderConnection",
	"endProviderCall",
	"planMethodPage",
	"planMethodAttachment",
	"applyPageLook",
	"applyMethodDetachment",
	"beginAttemptStep",
	"applyAttemptStep",
	...(["planDisputeCall", "applyProviderDispute", "keepDisputeProblem"] as const),
	...(["beginRefundStep", "applyRefundStep"] as const),
	"keepProviderEvent",
	"endProviderEvents",
]);

let collection: typeof import("./collection-writes")["collectionWrites"] | undefined;

function collectionNow() {
	assert(collection, "the modules of payments are loaded before the transaction begins");
	return collection;
}

let documents: typeof import("./document-writes")["documentWrites"] | undefined;

function documentsNow() {
	assert(documents, "the modules of documents are loaded before the transaction begins");
	return documents;
}

/** The operation of each write that other threads request from the writer. Each is a transaction of its own. */
const writesWith = (resolve: Resolve): WritesOf => ({
	consume: (work, { customerRef, featureRef, body }) => ({
		data: consume(work, customerRef, featureRef, body, resolve),
	}),
	reserve: (work, { customerRef, featureRef, body }) => ({
		data: reserve(work, customerRef, featureRef, body, resolve),
	}),
	consumeCredits: (work, input) => ({ data: consumeCredits(work, input) }),
	acceptConsumptions: (work, input) => ({ data: acceptConsumptions(work, input) }),
	renderInvoice: (work, input) => documentsNow().renderInvoice(work, input),
	renderCreditNote: (work, input) => documentsNow().renderCreditNote(work, input),
	renderReceipt: (work, input) => documentsNow().renderReceipt(work, input),
	renderOrderForm: (work, input) => documentsNow().renderOrderForm(work, input),
	keepBankPart: (work, part) => {
		keepPart(work, part);
		return null;
	},
	dropBankParts: (work, importId) => {
		dropParts(work, importId);
		return null;
	},
	startBankImport: (work, start) => acceptImport(work, start),
	signInByProvider: (work, signIn) => signInByProvider(work, signIn),
	noteKeyUses: (work, ids) => {
		noteUses(work, ids);
		return null;
	},
	makeDefaultLegalEntity: (work) => {
		ensureDefaultLegalEntity(work);
		return null;
	},
	disableWebhook: (work, { id, reason }) => {
		disableFailing(work, id, reason);
		return null;
	},
	keepWebhookPositions: (work, positions) => {
		keepPositions(work, positions);
		return null;
	},
	claimTask: (work, types) => claimTask(work, types),
	progressTask: (work, { task, doneCount }) => {
		progressTask(work, getClaimedTask(work, task.id), doneCount);
		return null;
	},
	completeTask: (work, task) => {
		completeTask(work, task);
		return null;
	},
	failTask: (work, { task, error }) => {
		const failed = failTask(work, task, error);
		const reminderId = reminderOf(task);
		if (failed.status === "FAILED" && reminderId !== undefined) endReminder(work, reminderId, "FAILED");
		const debitId = announcedDebitOf(task);
		if (failed.status === "FAILED" && debitId !== undefined) saveAnnouncement(work, debitId, "FAILED");
		return null;
	},
	putBackTask: (work, task) => {
		putBackTask(work, task);
		return null;
	},
	endMail: (work, task) => {
		endMail(work, task);
		return null;
	},
	endReminder: (work, { task, id, status }) => {
		endReminder(work, id, status);
		endMail(work, task);
		return null;
	},
	endAnnouncement: (work, { task, id, status }) => {
		saveAnnouncement(work, id, status);
		endMail(work, task);
		return null;
	},
	keepErased: (work, piece) => {
		keepErased(work, piece);
		return null;
	},
	noteSessionUses: (work, ids) => {
		noteSessionUses(work, ids);
		return null;
	},
	correctBudgets: (work, corrections) => {
		correctBudgets(work, corrections);
		return null;
	},
	releaseTasks: (work, types) => releaseTasks(work, types),
	changeProviderConnection: (work, planned) => collectionNow().changeProviderConnection(work, planned),
	endProviderCall: (work, ended) => collectionNow().endProviderCall(work, ended),
	planMethodPage: (work, input) => collectionNow().planMethodPage(work, input),
	planMethodAttachment: (work, input) => collectionNow().planMethodAttachment(work, input),
	applyPageLook: (work, input) => collectionNow().applyPageLook(work, input),
	applyMethodDetachment: (work, input) => collectionNow().applyMethodDetachment(work, input),
	beginAttemptStep: (work, input) => collectionNow().beginAttemptStep(work, input),
	applyAttemptStep: (work, input) => collectionNow().applyAttemptStep(work, input),
	planDisputeCall: (work, input) => collectionNow().planDisputeCall(work, input),
	applyProviderDispute: (work, reported) => collectionNow().applyProviderDispute(work, reported),
	beginRefundStep: (work, input) => collectionNow().beginRefundStep(work, input),
	applyRefundStep: (work, report) => collectionNow().applyRefundStep(work, report),
	keepDisputeProblem: (work, input) => collectionNow().keepDisputeProblem(work, input),
	keepProviderEvent: (work, received) => collectionNow().keepProviderEvent(work, received),
	endProviderEvents: (work, looked) => collectionNow().endProviderEvents(work, looked),
});

/** Resolves once the write is on disk. */
export type Write = <Name extends WriteName>(
	actor: Actor,
	name: Name,
	input: WriteInput<Name>,
) => Promise<WriteAnswer<Name>>;

/** Makes `Write` for the writer, and for a process with one thread. */
export function writesBy(transactions: Transactions): Write {
	const writes = writesWith(new ResolvedCache(transactions).resolve);
	const { committed } = transactions;
	return async (actor, name, input) => {
		if (ofDocuments.has(name)) documents ??= (await import("./document-writes")).documentWrites;
		if (ofCollection.has(name)) collection ??= (await import("./collection-writes")).collectionWrites;
		const write = ofUsage.has(name) ? transactions.writeUsage : transactions.write;
		const { answer } = await writeDurably({ write, committed }, actor, (work) => {
			work.cause.operation = name;
			return { answer: writes[name](work, input) };
		});
		return answer;
	};
}

import { findAgreement } from "../../areas/contracts/order-form/operations";
import { renderInvoice } from "../../areas/invoices/render";
import { erasePdfs, runElsewhere } from "../../areas/privacy/erase-elsewhere";
import { wallClock } from "../../kernel/clock";
import { newUuidV7 } from "../../kernel/ids";
import { openFile, overwriteDeleted } from "../../kernel/storage/db";
import { openTransactions } from "../../kernel/storage/transactions";
import { isStopping, tellUnconfirmed } from "../entry";
import { runTaskWorker } from "../task-thread";

// The thread that renders invoices, and the one writer of the finished PDFs.
runTaskWorker("renderer", ["RENDER_INVOICE", "ERASE_PDFS"], ["renders"], ({ transactions, write, settings }) => {
	const db = openFile(settings.folder, "renders");
	const renders = openTransactions({
		db,
		clock: wallClock,
		newId: newUuidV7,
		wake: () => {},
		onUnconfirmed: tellUnconfirmed,
	});
	overwriteDeleted(db.$client);
	const erasing = erasePdfs(transactions, renders);
	const limits = { keptMs: settings.pdfLifetimeMs, bytesMax: settings.pdfBytesMax };
	return {
		job: (task) =>
			task.type === "ERASE_PDFS"
				? runElsewhere({ transactions, write, isStopping }, task, "invoice_renders", erasing)
				: renderInvoice({ transactions, renders, limits, write, agreementOf: findAgreement }, task),
		close: () => db.$client.close(),
	};
});

CREATE TABLE `invoice_days` (
	`environment_id` text NOT NULL,
	`day` integer NOT NULL,
	`currency` text NOT NULL,
	`invoices` integer NOT NULL,
	`total_hundredths` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `day`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
DELETE FROM invoice_days;
--> statement-breakpoint
INSERT INTO invoice_days SELECT environment_id, issued_at / 86400000, currency, count(*), sum(total_hundredths) FROM invoices
	WHERE sequence > 0 AND state <> 'CANCELED' GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS invoices_by_day_insert AFTER INSERT ON invoices WHEN NEW.sequence > 0 AND NEW.state <> 'CANCELED' BEGIN
	INSERT INTO invoice_days VALUES (NEW.environment_id, NEW.issued_at / 86400000, NEW.currency, 1, NEW.total_hundredths)
	ON CONFLICT DO UPDATE SET invoices = invoices + 1, total_hundredths = total_hundredths + excluded.total_hundredths;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS invoices_by_day_delete AFTER DELETE ON invoices WHEN OLD.sequence > 0 AND OLD.state <> 'CANCELED' BEGIN
	UPDATE invoice_days SET invoices = invoices - 1, total_hundredths = total_hundredths - OLD.total_hundredths
	WHERE environment_id = OLD.environment_id AND day = OLD.issued_at / 86400000 AND currency = OLD.currency;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS invoices_by_day_leave AFTER UPDATE OF state, sequence, issued_at, total_hundredths, currency ON invoices
WHEN OLD.sequence > 0 AND OLD.state <> 'CANCELED' BEGIN
	UPDATE invoice_days SET invoices = invoices - 1, total_hundredths = total_hundredths - OLD.total_hundredths
	WHERE environment_id = OLD.environment_id AND day = OLD.issued_at / 86400000 AND currency = OLD.currency;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS invoices_by_day_enter AFTER UPDATE OF state, sequence, issued_at, total_hundredths, currency ON invoices
WHEN NEW.sequence > 0 AND NEW.state <> 'CANCELED' BEGIN
	INSERT INTO invoice_days VALUES (NEW.environment_id, NEW.issued_at / 86400000, NEW.currency, 1, NEW.total_hundredths)
	ON CONFLICT DO UPDATE SET invoices = invoices + 1, total_hundredths = total_hundredths + excluded.total_hundredths;
END;

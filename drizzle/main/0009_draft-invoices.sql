DROP INDEX `invoices_sequence`;--> statement-breakpoint
DROP INDEX `invoices_counted`;--> statement-breakpoint
ALTER TABLE `invoices` ADD `next_due_at` integer;--> statement-breakpoint
ALTER TABLE `invoices` ADD `stated` text;--> statement-breakpoint
CREATE INDEX `invoices_due` ON `invoices` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_sequence` ON `invoices` (`environment_id`,`sequence`) WHERE sequence > 0;--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_counted` ON `invoices` (`environment_id`,`legal_entity_id`,`number_year`,`number_count`) WHERE sequence > 0;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `is_manual` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `invoice_grace_period_days` integer;
ALTER TABLE `credit_note_lines` ADD `unit` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `unit` text;
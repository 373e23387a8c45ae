ALTER TABLE `credit_note_lines` ADD `basis` text;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `basis` text;
"""Maps as spreadsheets, CSV and XLSX, and back."""

"""Invented place names with the sound of a region; none is meant to be found in an atlas."""

from typing import Literal

from sample_maps.dice import Dice

Region = Literal["italian", "german", "slovene"]
Sort = Literal["town", "farm", "peak", "fort", "river"]

_NAMES: dict[tuple[Region, Sort], str] = {
    ("italian", "town"): """
        Lovernago, Crosello, Mandrivo, Sorbellana, Gravenzo, Torvaghe, Pelagrina, Vescorano,
        Brisello, Caldrima, Fontravena, Marsegno, Orlavino, Ronchevale, Salvognana, Tavernolda,
        Zanverde, Bellormina, Carpenvolo, Dossaredo, Levrigno, Montervaso, Nogarellana,
        Padrignana, Quarzella, Rovendro, Stramezzo, Trevignasca, Ulmisera, Valcrevola,
        Arzenalda, Bragolino, Cimadorna, Falzavena, Gorganzo, Isolverna, Lusandra, Miraborgo,
        Pradivolta, Sentivara, Acquarsa, Casalvinca, Dolventa, Erbarola, Giavarsa, Lamonvera,
        Mezzorivo, Noventrana, Olmaredo, Pontelvago, Roccamira, San Tendrio, Santa Vigilda,
        Terzolana, Usmarano, Villaspinata, Campodrillo, Belforina, Sant'Elmaro, Vigodrano,
        Castelvento di Sopra, Ronco Alvise, Borgo Tremisa, Malgaverna, Prà dell'Orma,
        Stradavecchia, Tornavalle, Selvarotta, Luserniga, Cornaleda""",
    ("italian", "farm"): """
        Ca' Morenda, Ca' Belverde, Corte Paldina, Le Sgreve, Casa Rondinara, Il Palazzone,
        Ca' Vignalta, Corte Stramba, Fenil Novo, Ca' Zampirone, Le Gazzole, Casino Tordara,
        Corte Bragadosa, Ca' Lodolera, Il Moronal, Ca' Prestinara, Fenil dei Gelsi, La Tezzona,
        Corte Mandragola, Ca' Fiorvento, Le Barchesse, Mulino Sgarzola, Ca' Nespolera,
        La Colombarona, Corte Alighiera, Ca' Spinavera, Casa del Noce, Fenil Ghiarone,
        La Brentazza, Ca' Ortensia, Mulin Rotto, Corte Sarmenta""",
    ("italian", "peak"): """
        Monte Sgravaro, Cima Torvina, Monte Cengiara, Col Ventrano, Dosso Falcaro,
        Punta Merlonga, Croda Serinda, Monte Brustolado, Cima Lavinera, Monte Spadarosso,
        Col dei Caprili, Cima Nevarda, Monte Altemiro, Dosso Gendrino, Monte Orsaviva,
        Cima Scaglierta, Col Mezzaluna, Monte Tornedo, Cima Malgarossa, Spitz di Lavarno,
        Monte Gramolda, Cima Undrana, Monte Coldivento, Dosso Stivello, Monte Pertegol,
        Cima Sorvetta, Monte Aguglione, Col Brusavento, Punta Lastrara, Monte Zovarno,
        Cima dei Tre Pastori, Monte Crestalunga, Croda Vermegna, Monte Ballestra""",
    ("italian", "fort"): """
        Forte Torvina, Forte Cengiara, Forte Altemiro, Forte Merlonga, Forte Campodrillo,
        Forte Lastrara, Forte Sgravaro, Tagliata Malgaverna""",
    ("italian", "river"): """
        Vordana, Stigola, Lavarno, Prestena, Astrigo, Grevola, Cismora, Tarvello, Rienda,
        Malvora, Bregnola, Ombrosella, Tesarda, Levandro, Ghiarina, Sorvesa, Agnarda, Monciara,
        Bisenta, Valdiva, Fossadriva, Rio Torbolo, Rio Lusandro, Rio Merlo, Seriolda""",
    ("german", "town"): """
        Gamswanding, Kaltrinnach, Moosbreiten, Rabensulz, Tannerlach, Weissgufl, Zirmelau,
        Aschlofen, Dorngufl, Eiblwang, Falkrattach, Haberslend, Jochlarn, Krummgsping,
        Latschried, Murlofen, Nasserlau, Ochsalben, Plattgrub, Rotkammern, Steinfurg,
        Trogwalden, Uhlgras, Vogelsching, Kreithofing, Lanzerwies, Innerpradl, Aussergfrill""",
    ("german", "peak"): """
        Gamslerspitze, Kaltrinnkofel, Rabensulzer Horn, Sulzgratstein, Zirmelkogel,
        Hoher Dorngufl, Falkrattspitze, Jochlarnspitze, Rotkammerkofel, Steinfurghorn,
        Uhlgraskopf, Weissguflspitze, Krummgspinghorn, Latschriedkofel, Plattgrubjoch,
        Vogelschingkopf, Moosbreitspitze, Trogwaldstein""",
    ("german", "fort"): """
        Werk Dorngufl, Werk Rotkammer, Werk Steinfurg, Werk Gamsler, Werk Jochlarn,
        Werk Uhlgras, Werk Zirmel, Werk Plattgrub""",
    ("german", "river"): """
        Grimmach, Zirmelach, Lafenz, Kaltrinn, Gurgelach, Stieblach, Moosrinn, Rabenbachl,
        Frillbach, Weissrinn, Trogache""",
    ("slovene", "town"): """
        Podleskovo, Javornje, Krivogorje, Zatolmnik, Hlebanje, Mrzlavec, Strmavica, Gradišnje,
        Lipnivec, Rakovelj, Sedlanje, Trnoljevo, Vrhovinje, Borovelje, Čadranje, Dolnarica,
        Globodavec, Humšekovo, Jelnarje, Koritovlje, Logavž, Oskrenje, Plaznivec, Ravnogorje,
        Skalnarje, Topolšnik, Volčegrad, Zaseljno, Predoljnik, Sveti Vrtan, Mostinje, Kladnarje,
        Drežnovlje, Robidnjak, Stržinje""",
    ("slovene", "peak"): """
        Mrzlavski vrh, Strmi rob, Krivogora, Veliki Plaznik, Skalnarjev vrh, Mali Javornjak,
        Volčeglava, Monte Sedlano, Hlebanov rob, Oskrenjak, Rjavi Humšek, Lipnivnik,
        Zatolmski vrh, Kolovar, Trnoljski vrh, Monte Cucaro, Jelnarjeva glava, Ostri Kladnik,
        Monte Vrtovina, Krnivec""",
    ("slovene", "river"): """
        Mrzlava, Bistrava, Idrenca, Vrtavica, Kamnjača, Tolmenka, Učevka, Robidavka,
        Skalnica Mala, Jelnarica, Ročevka, Drežnovka, Kladnava, Javornava, Stržnica""",
}  # fmt: skip


class Names:
    """A purse of names: each is drawn once, in an order that hangs on the seed."""

    def __init__(self, seed: int) -> None:
        dice = Dice(seed)
        self._left: dict[tuple[Region, Sort], list[str]] = {}
        for key, text in sorted(_NAMES.items()):
            names = [" ".join(name.split()) for name in text.split(",")]
            self._left[key] = [names.pop(dice.roll(len(names))) for _ in range(len(names))]

    def draw(self, region: Region, sort: Sort) -> str:
        """Return a name that was not drawn before; brooks beyond the last name have none."""
        left = self._left[region, sort]
        return left.pop() if left or sort != "river" else ""
